"""The vocabulary of the demo sites' prose: a harbour town, its gardens, kitchens, workshops and railways."""

# ruff: noqa: E501 - lists of words read better unbroken

NOUNS = tuple(
    """harbour lantern orchard kettle bicycle ladder window garden engine violin notebook teapot carpet compass barrel
    bridge candle chimney cellar clock cottage drawer fence ferry fiddle furnace gable gate glove hammer hedge hinge
    island jacket jetty kitchen lamp lighthouse loom map market meadow mill mirror needle oar oven parcel pantry pebble
    pencil piano pier platform plough pocket pond pump quarry quilt radio raft railway recipe rope saddle sail saucepan
    scarf shed shelf shovel signal sketch spanner spool stable staircase stove suitcase table tailor tent thimble ticket
    timber tower trolley trumpet tunnel umbrella valley varnish veranda village waggon wardrobe well wheel whistle
    workshop yard almanac anchor anvil apron archive attic axle bakery balcony basket beacon bell bench blanket boathouse
    bobbin bottle bramble brook broom bucket buoy cabin cart cask chapel chart cheese chisel clay cloak cobbler corridor
    crane cupboard curtain dairy diary dyke easel ember feather flask flute footpath fountain gallery gravel grindstone
    hayloft heather herring inkwell kiln kite lathe ledger library loaf mallet mooring mortar nettle oilcloth packet
    paddle pastry pear pigeon plank quince reel ribbon rudder sawdust seedling slate sluice spindle starling tannery
    thatch tram trellis turnip vessel vineyard walnut weathercock willow windmill wren""".split()
)
ADJECTIVES = tuple(
    """quiet crooked borrowed narrow painted patient rusty gentle hollow early amber ancient awkward bitter bold brass
    brittle broad careful cheerful clumsy coarse copper cautious damp delicate distant dusty eager earnest faded faint
    famous fearless folded forgotten fragrant frosty generous gloomy golden graceful handsome hasty heavy hidden honest
    humble idle ivory jolly lazy lively lonely loose lopsided marbled mellow modest muddy mossy nimble noisy northern oaken
    oblong pale peculiar pewter plain polished prickly proud quaint ragged reluctant restless ripe rough salty scarlet
    secret shallow silver slender smoky solemn southern spare spotted stubborn sturdy sunlit tangled tidy timid tired
    twisted uneven velvet wandering weathered whimsical wooden woollen yellow""".split()
)
VERBS = tuple(
    """carried mended measured followed abandoned painted borrowed counted polished crossed described discovered emptied
    examined exchanged explained fastened fetched gathered guarded hauled hoisted ignored improved inspected inherited
    kept labelled lifted loaded lowered mentioned missed moved noticed opened ordered packed photographed planted
    postponed praised preferred promised pruned questioned rebuilt recorded refused remembered repaired replaced rescued
    restored sanded scrubbed sealed served shifted sketched sold sorted stacked steered stitched stored stretched
    surprised swapped swept tested tied traced trimmed unpacked varnished warmed washed weighed wrapped""".split()
)
ADVERBS = tuple(
    """slowly carefully twice again quietly reluctantly overnight eventually already almost suddenly cheerfully rarely
    usually properly politely instead together nearby eagerly patiently thoroughly secretly barely gladly""".split()
)
PLACES = tuple(
    """Alderbrook Barrowmere Castlewick Dunmarsh Eastholm Fernleigh Gorseford Hartwell Ivelcombe Kestrelby Larkstead
    Marlowe-on-Sea Netherby Oxmoor Pebblewick Quayside Ravensholt Saltmarsh Thornbury Underhill Westerwold Yarrowfield
    Zennorquay Millstone-Green Otterpool""".split()
)
TIMES = (
    "last spring", "in October", "before breakfast", "after the storm", "on Tuesday", "at low tide", "in the long winter",
    "since the flood", "every other week", "late in the evening", "during the fair", "as soon as the rain stopped",
)  # fmt: skip
GIVEN = tuple(
    """Ada Bruno Clara Dmitri Elsa Farid Greta Henrik Imogen Jasper Kirsten Lorenz Mirela Nadir Oona Pavel Quentin Rosalie
    Stellan Tamsin Ulla Viggo Wanda Xavier Yara Zoltan Agnes Bertil Cosima Dunstan Edda Florian""".split()
)
FAMILY = tuple(
    """Ashdown Bellweather Carrow Dunkeld Eberhart Fenwright Garrick Holloway Ingram Jessop Kettering Lindqvist Marchbank
    Norwell Oakes Pemberley Quill Rowntree Sandoval Thackeray Underwood Vance Whitlock Yardley Zeller Brandauer
    Castellan Drummond""".split()
)
SHORT = (
    "Thanks!", "Same here.", "Good point.", "I agree with every word.", "Did it work in the end?", "Bump.", "Lovely, thank you!",
    "Not in my experience.", "Could you post a picture?", "That made my day.", "Any news on this?", "First!",
)  # fmt: skip
