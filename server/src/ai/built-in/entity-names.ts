// Words that show the kind of the name they belong to. Short lists on purpose: what they do not know is found by form or not at all.

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean))

export const TITLES = setOf(
  'mr mrs ms miss dr prof professor sir lord lady dame rev reverend capt captain gen general col colonel lt sgt sergeant ' +
    'gov governor sen senator rep president chancellor minister judge justice king queen prince princess pope bishop chairman herr frau',
)

export const GIVEN_NAMES = setOf(`
  aaron abigail adam adrian ahmed alan albert alejandro alex alexander alexandra ali alice alison amanda amy ana andrea andrew angela ann anna anne
  anthony antonio arthur ashley barbara ben benjamin bernard beth bill bob brandon brian bruce carl carla carlos carol caroline catherine charles
  charlie charlotte chris christian christina christine christopher claire clara colin craig cynthia dan daniel daniela david dean deborah denise
  dennis diana diane diego donald donna dorothy doug douglas dylan ed eddie edward eleanor elena elizabeth ellen emily emma eric erica eva evan
  felix fernando fiona frances francis francisco frank fred frederick gabriel gary george gerald giovanni gloria gordon grace graham greg gregory
  hannah hans harold harry heather helen henry hugh ian ibrahim irene isaac isabel isabella ivan jack jacob jake james jamie jan jane janet jason
  javier jean jeff jeffrey jennifer jeremy jesse jessica jill jim jimmy joan joe joel john johnny jonathan jordan jorge jose josef joseph joshua
  juan judith judy julia julian julie justin karen karl kate katherine kathleen kathryn katie keith kelly ken kenneth kevin kim kyle larry laura
  lauren lawrence lee leo leon leonard lewis liam linda lisa logan louis louise lucas lucy luis luke lynn manuel marc marco marcus margaret maria
  marie marilyn mario mark martha martin mary matt matthew maurice max megan melissa michael michelle miguel mike mohamed mohammed molly muhammad
  nancy natalie nathan neil nicholas nick nicola nicole nina noah norman oliver olivia omar oscar pablo pamela patricia patrick paul paula pedro
  peter phil philip phillip pierre rachel ralph raymond rebecca ricardo richard rick rob robert roberto robin roger ron ronald rosa rose ross roy
  russell ruth ryan sally sam samantha samuel sandra sara sarah scott sean sergio sharon shirley simon sophia sophie stefan stephanie stephen steve
  steven stuart susan suzanne sylvia teresa terry thomas tim timothy tina todd tom tommy tony tracy tyler valerie vanessa victor victoria vincent
  virginia walter wayne wendy will william zachary zoe`)

export const ORGANISATION_WORDS = setOf(`
  inc ltd llc llp plc corp corporation co company gmbh ag sa nv bv group holdings partners associates foundation institute institution university
  college school hospital bank ministry department agency association society union committee commission council court party club team league
  museum library church press times post news network airlines airways motors systems technologies laboratories labs insurance fund trust board
  bureau office service federation organization organisation academy orchestra industries enterprises consulting solutions`)

export const PLACE_WORDS = setOf(`
  street st avenue ave road rd boulevard blvd lane drive square park river lake mountain mountains mount island islands bay beach county city town
  village valley ocean sea airport station bridge province district peninsula desert canyon coast port plaza`)

const regions = (): string[] => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters
    .flatMap((a) => letters.flatMap((b) => names.of(a + b) ?? []))
    .filter((name) => !/unknown|pseudo/i.test(name))
}

/** Countries, as Unicode names them, and places that many texts mention. */
export const PLACES: ReadonlySet<string> = new Set(
  [
    ...regions(),
    ...`Africa,America,Asia,Europe,Antarctica,Middle East,North America,South America,Latin America,UK,USA,US,U.S.,U.K.,England,Scotland,Wales,
    Great Britain,Britain,Russia,Turkey,Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,Florida,Hawaii,Idaho,Illinois,Indiana,
    Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,New Hampshire,
    New Jersey,New Mexico,New York,New York City,NYC,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina,
    South Dakota,Tennessee,Texas,Utah,Vermont,Washington,West Virginia,Wisconsin,Wyoming,Amsterdam,Athens,Atlanta,Auckland,Baghdad,Bangkok,Barcelona,
    Beijing,Beirut,Belfast,Berlin,Birmingham,Boston,Brussels,Bucharest,Budapest,Buenos Aires,Cairo,Cape Town,Chicago,Cologne,Copenhagen,Dallas,
    Delhi,Denver,Detroit,Dubai,Dublin,Edinburgh,Frankfurt,Geneva,Glasgow,Hamburg,Helsinki,Houston,Istanbul,Jakarta,Jerusalem,Johannesburg,Kabul,
    Karachi,Kiev,Kyiv,Lagos,Las Vegas,Leeds,Lima,Lisbon,Liverpool,London,Los Angeles,Lyon,Madrid,Manchester,Manila,Marseille,Melbourne,Mexico City,Miami,Milan,
    Montreal,Moscow,Mumbai,Munich,Nairobi,Naples,New Delhi,Oslo,Ottawa,Oxford,Cambridge,Paris,Philadelphia,Phoenix,Prague,Rio de Janeiro,Rome,
    San Diego,San Francisco,Santiago,Sao Paulo,Seattle,Seoul,Shanghai,Singapore,Stockholm,Sydney,Taipei,Tehran,Tel Aviv,Tokyo,Toronto,Vancouver,
    Vienna,Warsaw,Zurich`.split(/\s*,\s*/),
  ].map((name) => name.toLowerCase().trim()),
)
