"""Function words (stop words) of several languages: no text is about them, all prose is full of them."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """a about after again against all also am an and any are as at be because been before being between both but by can
    could did do does doing down during each even few first for from further get had has have having he her here him his
    how however i if in into is it its just last like made make many may me might more most much must my new no nor not
    now of off on once one only or other our out over own said same say says she should since so some still such than
    that
    the their them then there these they this those through to too two under until up us very was we well were what when
    where which while who whom whose why will with would yet you your
    der die das und ist von mit den dem des ein eine einer nicht auch auf für im zu sich sie er es wird war bei als aus
    dass hat sind wie nach noch oder aber zum zur haben werden einen einem wurde
    le la les des du un une et est dans pour que qui sur pas avec au par ce il elle ne se sont plus son sa ses aux
    ont été mais ou nous vous leur cette
    el los las y en que por con para una se no su al lo como más pero sus fue ha son entre sobre también
    il di che e per non con del della una sono ha gli nel dei delle alla da anche più come
    de het een van en dat niet zijn op te voor met aan ook bij o os do em um uma com não para mais dos das""".split()
)
