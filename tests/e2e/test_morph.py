"""How an element of a page becomes like another, and what the extension `live` tells htmx: these modules alone, in a
browser, because they are about elements."""

import pytest

SCRIPT = """async ([old, fresh]) => {
    const { findMarked, morph } = await import("/static/js/morph.js");
    document.body.innerHTML = old;
    for (const element of document.querySelectorAll("[id]")) element.same = true;
    /* before */
    const part = document.createElement("template");
    part.innerHTML = fresh;
    findMarked(fresh);
    const regions = [...part.content.children].map((region) => [document.getElementById(region.id), region]);
    for (const [here, region] of regions) morph(here, region);
    const same = [...document.querySelectorAll("[id]")].filter((element) => element.same).map(({ id }) => id);
    findMarked();
    const { activeElement: { id } } = document;
    return { html: document.body.innerHTML, same, focus: id, value: document.querySelector("#field")?.value };
}"""


@pytest.fixture
def morphed(page, site):
    """What a page of this HTML is once the elements of `fresh` have come: its HTML, the ids of elements that are still
    the same, which one has the focus, and what is in the field. `before` is what one has done there."""
    page.goto(f"{site}/static/js/morph.js")
    return lambda old, fresh, before="": page.evaluate(SCRIPT.replace("/* before */", before), [old, fresh])


def test_texts_and_attributes_change_and_elements_stay(morphed):
    old = '<div id="a" class="x" title="t"><b>1</b> and <i id="i">2</i></div>'
    fresh = '<div id="a" class="y" lang="de"><b>3</b> or <i id="i">4</i></div>'
    found = morphed(old, fresh)
    assert found["html"] == fresh
    assert found["same"] == ["a", "i"]


def test_elements_with_an_id_move(morphed):
    old = '<ul id="a"><li id="p">1</li><li id="q">2</li><li id="r">3</li></ul>'
    fresh = '<ul id="a"><li id="r">3</li><li id="new">5</li><li id="p">1</li></ul>'
    found = morphed(old, fresh)
    assert found["html"] == fresh
    assert found["same"] == ["a", "r", "p"]


def test_another_tag_is_another_element(morphed):
    found = morphed('<p id="a">1</p>', '<div id="a">1</div>')
    assert found["html"] == '<div id="a">1</div>'
    assert found["same"] == []


def test_what_one_has_typed_and_where_one_is_stay(morphed):
    old = '<form id="a" class="x"><input id="field" value=""><b>1</b></form>'
    fresh = '<form id="a" class="y"><b>2</b><input id="field" value=""></form>'
    found = morphed(old, fresh, "const field = document.getElementById('field'); field.value = 'typed'; field.focus()")
    assert (found["focus"], found["value"]) == ("field", "typed")
    assert found["html"] == fresh


@pytest.mark.parametrize(("now", "then"), [("", ' open=""'), (' open=""', "")])
def test_what_one_has_opened_or_closed_stays(morphed, now, then):
    """Whatever the server sends."""
    found = morphed(f'<div id="a"><details{now}>1</details></div>', f'<div id="a"><details{then}>2</details></div>')
    assert found["html"] == f'<div id="a"><details{now}>2</details></div>'


def test_the_form_of_another_question_is_another_form(morphed):
    old = '<div id="a"><form data-answer="bid"><input id="field"></form></div>'
    typed = "document.getElementById('field').value = 'typed'"
    assert morphed(old, old.replace("<input", '<input class="x"'), typed)["value"] == "typed"
    found = morphed(old, old.replace("bid", "pay"), typed)
    assert (found["value"], found["same"]) == ("", ["a"])


def test_the_token_of_a_form_stays(morphed):
    token = '<input type="hidden" name="csrfmiddlewaretoken" value="t">'
    found = morphed(f'<form id="a">{token}<b>1</b></form>', '<form id="a"><i>2</i></form>')
    assert found["html"] == f'<form id="a">{token}<i>2</i></form>'


def test_a_mark_leaves_an_element_as_it_is(morphed):
    old = '<div id="a"><p id="p" class="x">1</p><p id="q">2</p></div>'
    found = morphed(old, '<div id="a"><b>0</b><wbr id="p"><p id="q">3</p></div>')
    assert found["html"] == '<div id="a"><b>0</b><p id="p" class="x">1</p><p id="q">3</p></div>'
    assert found["same"] == ["a", "p", "q"]


@pytest.mark.parametrize("first", ["a", "b"])
def test_what_is_marked_goes_from_one_element_into_another(morphed, first):
    """In whichever order these two come."""
    old = '<div id="a"><p><b id="card">1</b></p></div><div id="b"></div>'
    parts = {"a": '<div id="a"></div>', "b": '<div id="b"><i><wbr id="card"></i></div>'}
    found = morphed(old, parts[first] + parts["ba"["ab".index(first)]])
    assert found["html"].replace('<div id="pantry" hidden=""></div>', "") == (
        '<div id="a"></div><div id="b"><i><b id="card">1</b></i></div>'
    )
    assert found["same"] == ["a", "b", "card"]


def test_a_mark_of_what_is_nowhere_leaves_nothing(morphed):
    assert morphed('<p id="a">1</p>', '<p id="a">2<wbr id="gone"></p>')["html"] == '<p id="a">2</p>'


@pytest.fixture
def live(page, site):
    """Runs a function body with the extension as `live`, and `posted`, what htmx was asked to post."""
    page.goto(f"{site}/static/js/live.js")
    page.evaluate(
        """async () => {
            window.posted = [];
            window.htmx = {
                config: {},
                defineExtension: (name, extension) => (window[name] = extension),
                ajax: (...request) => posted.push(request),
            };
            await import("/static/js/live.js");
        }"""
    )
    return lambda html, body: page.evaluate(f"html => {{ document.body.innerHTML = html; {body} }}", html)


def test_pictures_are_named_by_the_address_that_the_page_has(live):
    html = '<svg><use href="/static/biblios/pictures.0123.svg#d-1"></use></svg>'
    body = """return live.transformResponse('<use href="pictures#d-2"/><use href="other#x"/>')"""
    assert live(html, body) == '<use href="/static/biblios/pictures.0123.svg#d-2"/><use href="other#x"/>'


def test_the_address_may_stand_in_a_template_of_the_page(live):
    html = '<template><svg><use href="/static/biblios/cards.0123.svg#G1"/></svg></template>'
    body = """return live.transformResponse('<use href="cards#M2A"/>')"""
    assert live(html, body) == '<use href="/static/biblios/cards.0123.svg#M2A"/>'


def test_only_morph_is_a_swap_of_ours(live):
    html = '<p id="a">1</p>'
    body = """
        const part = document.createElement("template");
        part.innerHTML = '<p id="a">2</p>';
        const target = document.getElementById("a");
        const answers = [
            live.isInlineSwap("morph"), live.isInlineSwap("outerHTML"),
            live.handleSwap("outerHTML", target, part.content),
            live.handleSwap("morph", document.body, document.createDocumentFragment()),
        ];
        const [same] = live.handleSwap("morph", target, part.content);
        return [...answers, same === target, target.textContent];
    """
    page_without_id = body.replace("document.body", 'Object.assign(document.createElement("p"), { id: "b" })')
    assert live(html, page_without_id) == [True, False, False, False, True, "2"]


def test_without_a_socket_a_form_is_posted_at_once(live):
    html = '<form action="/m/KEY/move"></form>'
    body = """
        const elt = document.querySelector("form");
        const detail = { elt, parameters: { ply: 3 } };
        const prevented = live.onEvent("htmx:wsConfigSend", { defaultPrevented: true, detail });
        const before = posted.length;
        const sent = live.onEvent("htmx:wsConfigSend", { defaultPrevented: false, detail });
        return [prevented, before, sent, posted.map(([verb, path, { values, swap }]) => [verb, path, values, swap])];
    """
    assert live(html, body) == [False, 0, False, [["POST", "/m/KEY/move", {"ply": 3}, "none"]]]


def test_a_page_asks_by_itself_only_when_it_is_behind(live):
    html = '<div id="asks" hx-trigger="every 3s"></div><div id="other" hx-trigger="click"></div>'
    body = """
        const asks = (id) => live.onEvent("htmx:beforeRequest", { detail: { elt: document.getElementById(id) } });
        return [asks("asks"), asks("other")];
    """
    assert live(html, body) == [False, True]
