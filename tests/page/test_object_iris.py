import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.page.object_iris import legal, object_iri, site_iri, site_key


def test_a_post_met_on_two_pages_has_one_name():
    session = "sid=0123456789abcdef0123456789abcdef"
    on_thread = object_iri(
        "post", permalink=f"http://F.example/viewtopic.php?p=100&{session}#p100", page_url="http://f.example/t/9"
    )
    on_profile = object_iri(
        "post", permalink="http://f.example/viewtopic.php?p=100#p100", page_url="http://f.example/u/45"
    )
    assert on_thread == on_profile == "http://f.example/viewtopic.php?p=100#p100"


def test_a_native_number_serves_where_there_is_no_address():
    assert (
        object_iri("comment", page_url="http://www.b.example/x", native_id="77")
        == "urn:x-siteseer:example,b:comment:77"
    )
    assert object_iri("comment", page_url="http://b.example/y", native_id="77") == "urn:x-siteseer:example,b:comment:77"
    assert object_iri("comment", permalink="javascript", page_url="http://b.example/y", native_id="a b") == (
        "urn:x-siteseer:example,b:comment:a%20b"
    )


def test_content_names_what_has_neither():
    said = {
        "page_url": "http://b.example/x",
        "author": "zoe",
        "created": "2014-03-02",
        "container": "http://b.example/x#this",
    }
    one = object_iri("comment", text="Well  said,\nindeed", **said)
    assert one == object_iri("comment", text=" Well said, indeed ", **{**said, "page_url": "http://b.example/y"})
    assert one != object_iri("comment", text="Well said", **said)
    assert one != object_iri("post", text="Well said, indeed", **said)
    assert one.startswith("urn:sha256:") and len(one) == len("urn:sha256:") + 64


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("www.forum.example", "example,forum"),
        ("10.0.0.1:81", "10.0.0.1%3A81"),
        ("http://[::1]:8080/x", "%5B%3A%3A1%5D%3A8080"),
    ],
)
def test_hosts_are_written_from_the_general_to_the_particular(host, key):
    assert site_key(host) == key


HOSTILE = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(blacklist_categories=())),
    st.builds("http://{}".format, st.text(alphabet="[]:@/?#%a1.\\ é\x00\ud800", max_size=12)),
    st.builds("http://e.org/{}".format, st.text(alphabet='[]:@/?#%a<>"{}|^`\\ é\x00\ud800', max_size=20)),
)


@given(HOSTILE)
def test_whatever_stands_in_a_page_becomes_a_legal_iri(text):
    written = legal(text)
    pyoxigraph.parse(f"<{written}> <urn:x:p> <{written}> .", pyoxigraph.RdfFormat.N_TRIPLES).__next__()
    assert legal(written) == written


@given(HOSTILE, HOSTILE, HOSTILE)
def test_minting_never_fails(permalink, page, native):
    for name in (
        object_iri("post", permalink=permalink),
        object_iri("post", page_url=page, native_id=native),
        site_iri(page),
    ):
        next(pyoxigraph.parse(f"<{name}> <urn:x:p> <{name}> .", pyoxigraph.RdfFormat.N_TRIPLES))
