"""A match of Biblios as a page shows it to one viewer."""

from games.engine.biblios.view import BibliosView
from games.matches import scene

Scene = scene.Scene[BibliosView]
Step = scene.Step[BibliosView]
