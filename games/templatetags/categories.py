from django import template

from games.faces.biblios.art import CATEGORIES

register = template.Library()


@register.inclusion_tag("board/biblios/categories_won.html")
def categories_won(won, games):
    """How often each category was won in so many games: `won` counts by the letter of the die."""
    shares = [(code, name, f"s-{code}", won.get(code, 0) / games) for code, name in CATEGORIES.items() if games]
    return {"shares": [(code, name, symbol, round(100 * share)) for code, name, symbol, share in shares]}
