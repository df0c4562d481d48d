"""Proximal policy optimisation in self-play, for programs that start a training or go on with one; needs PyTorch."""

from tamaya.learn.ppo.checkpoints import begin_training, practise
from tamaya.learn.ppo.hyperparameters import SMALLER, Course, Point, course_with
from tamaya.learn.ppo.ppo_training import Trainer
from tamaya.learn.ppo.torch_networks import Unpacker

__all__ = ["SMALLER", "Course", "Point", "Trainer", "Unpacker", "begin_training", "course_with", "practise"]
