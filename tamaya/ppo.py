"""Proximal policy optimisation in self-play, for programs that start a training or go on with one; needs PyTorch."""

from tamaya.learn.ppo.course import SMALLER, Course, Point, fitted
from tamaya.learn.ppo.torch_networks import Unpacker
from tamaya.learn.ppo.training_run import begin, practise

__all__ = ["SMALLER", "Course", "Point", "Unpacker", "begin", "fitted", "practise"]
