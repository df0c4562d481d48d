"""Cards, rules and knowledge as kernels: what every other part of the package builds on."""
