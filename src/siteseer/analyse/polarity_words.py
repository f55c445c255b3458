"""Words that speak for or against something, with what turns and strengthens them, in four languages.

Written for this package from everyday use. The endings that a language gives its adjectives and nouns are added; forms
that nobody uses do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass

from siteseer.decide.focused.gazetteer import words_of


@dataclass(frozen=True, slots=True)
class Wording:
    """How a language praises and blames."""

    good: frozenset[str]
    bad: frozenset[str]
    turns: frozenset[str]
    """Negations."""
    strong: frozenset[str]


SHORTEST = 4
"""Shorter words with an ending are often other words."""


def _wording(good: str, bad: str, turns: str, strong: str, endings: str = "") -> Wording:
    return Wording(_forms(good, endings), _forms(bad, endings), frozenset(words_of(turns)), frozenset(words_of(strong)))


def _forms(words: str, endings: str) -> frozenset[str]:
    """Return words with and without endings, as texts are compared."""
    plain = words_of(words)
    return frozenset((*plain, *(word + end for word in plain if len(word) >= SHORTEST for end in endings.split())))


WORDINGS = {
    "en": _wording(
        """good great excellent better best wonderful fantastic brilliant superb perfect lovely beautiful amazing
        impressive outstanding remarkable delightful enjoyable pleasant pleased happy glad delighted satisfied
        grateful thankful proud love loves loved like liked enjoy enjoyed enjoys admire admired praise praised
        praises welcome welcomed welcomes support supported supports benefit benefits beneficial helpful
        useful valuable effective efficient reliable successful success succeed succeeded win won wins victory
        improve improved improves improvement progress hope hopeful promising fair honest generous kind
        friendly safe healthy strong clever wise smart innovative recommend recommended positive favourable
        favorable right fine nice thanks celebrate celebrated joy fun exciting elegant comfortable bargain
        best-loved trusted agree agreed""",
        """bad worse worst terrible horrible awful dreadful poor appalling disgusting disappointing disappointed
        disappointment hate hated hates dislike disliked angry anger furious outrage outrageous sad unhappy
        fear fears afraid worried worry worries worrying anxious concern concerned alarming danger dangerous
        harm harmful harms damage damaged damaging destroy destroyed destroying destruction ruin ruined fail
        failed fails failure failing fault faulty broken useless worthless waste wasted problem problems
        trouble crisis disaster disastrous catastrophe scandal corrupt corruption fraud lie lies lied liar
        dishonest unfair unjust injustice wrong mistake mistakes error errors blame blamed criticise
        criticised criticize criticized criticism condemn condemned protest protests reject rejected oppose
        opposed opposes attack attacked threat threatened threatens illegal abuse abused violent violence
        cruel stupid foolish ridiculous shame shameful ugly dirty toxic polluted sick ill weak slow expensive
        overpriced boring annoying regret lost loss losses suffer suffered suffering death dead kill killed
        negative hopeless nightmare worry-some refuse refused""",
        "not no never neither nor without hardly barely scarcely cannot nobody t",
        "very really extremely highly so too absolutely totally completely deeply truly most utterly incredibly",
    ),
    "de": _wording(
        """gut gute guter gutes guten besser beste besten bester großartig großartige toll tolle toller tolles wunderbar
        wunderbare hervorragend hervorragende ausgezeichnet ausgezeichnete perfekt perfekte schön schöne
        schöner schönes schönen beeindruckend beeindruckende angenehm angenehme erfreulich erfreuliche froh
        glücklich zufrieden dankbar stolz liebe lieben liebt geliebt mag mögen gefällt genießen begeistert
        begeisterung loben lobt lobte gelobt lob begrüßen begrüßt begrüßte unterstützen unterstützt nutzen
        nützlich nützliche hilfreich hilfreiche wertvoll wertvolle wirksam wirksame zuverlässig zuverlässige
        erfolg erfolge erfolgreich erfolgreiche gewinnen gewann gewonnen sieg verbessern verbessert
        verbesserung fortschritt hoffnung hoffen vielversprechend fair ehrlich großzügig freundlich
        freundliche sicher sichere gesund gesunde stark klug kluge empfehlen empfohlen positiv positive
        richtig danke freude spaß spannend spannende gerecht einig zustimmung""",
        """schlecht schlechte schlechter schlechtes schlechten schlimm schlimme schlimmer furchtbar furchtbare
        schrecklich schreckliche entsetzlich miserabel mies miese enttäuschend enttäuschende enttäuscht
        enttäuschung hassen hasst hass wütend wut empört empörung traurig unglücklich angst ängste fürchten
        fürchtet besorgt sorge sorgen bedrohlich gefahr gefahren gefährlich gefährliche schaden schäden
        schädlich schädliche zerstören zerstört zerstörung ruiniert scheitern scheiterte gescheitert versagen
        versagt fehler fehlerhaft kaputt nutzlos nutzlose wertlos verschwendung problem probleme ärger krise
        katastrophe katastrophal skandal korrupt korruption betrug lüge lügen gelogen unehrlich unfair
        ungerecht ungerechte ungerechtigkeit falsch falsche schuld kritik kritisieren kritisiert kritisierte
        verurteilen verurteilt protest proteste ablehnen abgelehnt lehnt angriff drohung droht bedroht illegal
        illegale missbrauch gewalt grausam dumm dumme lächerlich schande schändlich hässlich schmutzig giftig
        giftige krank schwach teuer langweilig nervig bedauern verlust verluste verloren leiden leid tod tot
        getötet negativ negative hoffnungslos""",
        "nicht kein keine keinen keiner keinem nie niemals weder ohne kaum niemand",
        "sehr wirklich extrem äußerst höchst so zu absolut völlig total zutiefst besonders",
        "e er es en em s n",
    ),
    "fr": _wording(
        """bon bonne bons bonnes mieux meilleur meilleure meilleurs excellent excellente formidable merveilleux
        merveilleuse magnifique superbe parfait parfaite beau belle beaux belles impressionnant
        impressionnante remarquable agréable ravi ravie heureux heureuse content contente satisfait satisfaite
        reconnaissant fier fière aime aimer aimé adore adorer apprécie apprécier apprécié admire louer salue
        saluer salué soutenir soutient soutenu bénéfice bénéfique utile utiles précieux efficace efficaces
        fiable succès réussite réussi réussir gagner gagné victoire améliorer amélioré amélioration progrès
        espoir espérer prometteur prometteuse juste honnête généreux gentil gentille aimable sûr sain saine
        fort sage recommande recommander recommandé positif positive favorable merci joie plaisir passionnant
        bravo accord""",
        """mauvais mauvaise mauvaises pire pires terrible horrible affreux affreuse nul nulle épouvantable décevant
        décevante déçu déçue déception déteste détester haine haïr colère furieux scandaleux scandaleuse
        triste malheureux malheureuse peur craindre craint crainte inquiet inquiète inquiétude inquiétant
        danger dangereux dangereuse nuire nuisible dommage dommages dégâts détruire détruit détruite
        destruction ruine ruiné échec échoué échouer faute défaut cassé inutile inutiles gaspillage problème
        problèmes crise catastrophe catastrophique désastre scandale corrompu corruption fraude mensonge
        mensonges mentir menti malhonnête injuste injustice faux erreur erreurs critique critiquer critiqué
        condamner condamné protester protestation rejeter rejeté refuser refusé attaque menace menacé illégal
        illégale abus violence violent cruel stupide ridicule honte honteux laid sale toxique pollué malade
        faible cher chère ennuyeux regret perte pertes perdu souffrir souffrance mort morts tué négatif
        négative""",
        "ne pas jamais aucun aucune ni sans guère nul personne rien",
        "très vraiment extrêmement si trop absolument totalement complètement profondément particulièrement",
        "e s es",
    ),
    "es": _wording(
        """bueno buena buenos buenas mejor mejores excelente excelentes maravilloso maravillosa fantástico fantástica
        magnífico estupendo estupenda perfecto perfecta hermoso hermosa bonito bonita impresionante notable
        agradable feliz contento contenta satisfecho satisfecha agradecido orgulloso orgullosa amo amar ama
        encanta gusta gustan disfrutar disfruto admiro elogia elogiar elogió celebra celebrar apoya apoyar
        apoyo beneficio beneficios beneficioso útil útiles valioso valiosa eficaz eficaces eficiente fiable
        éxito éxitos exitoso ganar ganó victoria mejorar mejora mejoró progreso avance esperanza prometedor
        justo justa honesto honesta generoso amable seguro segura sano sana fuerte inteligente recomiendo
        recomendar recomendado positivo positiva favorable correcto gracias alegría diversión emocionante
        acuerdo""",
        """malo mala malos malas peor peores terrible terribles horrible espantoso pésimo pésima decepcionante
        decepcionado decepción odio odia odiar enojado ira furioso indignación indignante triste infeliz miedo
        temor teme temen preocupado preocupa preocupación preocupante peligro peligroso peligrosa dañino daño
        daños destruir destruye destruido destruyó destrucción ruina arruinado fracaso fracasó fracasar fallo
        falla roto inútil inútiles desperdicio problema problemas crisis desastre catástrofe escándalo
        corrupto corrupta corrupción fraude mentira mentiras mentir mintió deshonesto injusto injusta
        injusticia falso error errores culpa crítica critica criticar criticó condena condenar condenó
        protesta protestas rechaza rechazar rechazó rechazo ataque amenaza amenazado ilegal ilegales abuso
        abusos violencia violento cruel estúpido ridículo vergüenza vergonzoso feo sucio tóxico contaminado
        enfermo débil caro cara aburrido pérdida pérdidas perdido sufrir sufrimiento muerte muerto mató
        negativo negativa""",
        "no nunca jamás ni sin ningún ninguna ninguno nadie apenas tampoco",
        "muy realmente extremadamente tan demasiado absolutamente totalmente completamente profundamente",
        "s es",
    ),
}
