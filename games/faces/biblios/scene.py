"""What a page shows of a match of Biblios to one viewer."""

from games.engine.biblios.view import BibliosView
from games.faces import scene

Scene = scene.Scene[BibliosView]
Step = scene.Step[BibliosView]
