// Words of RTF that begin a destination.

/** Nothing inside is text of the document. */
export const UNSEEN = new Set(
  (
    'colortbl listtable listoverridetable rsidtbl generator filetbl revtbl themedata colorschememapping datastore latentstyles xmlnstbl ' +
    'fldinst bkmkstart bkmkend nonshppict objdata atnid atnauthor annotation ftnsep ftnsepc aftnsep pgdsctbl pnseclvl nonesttables ' +
    'nesttableprops mmathPr private template comment doccomm keywords author operator subject company manager category xe tc'
  ).split(' '),
)
/** A star lets older programs skip what follows; these hold text all the same. */
export const SEEN_THOUGH_STARRED = new Set([
  'shpinst',
  'shptxt',
  'shppict',
  'footnote',
  'ud',
  'pn',
  'pntext',
  'listtext',
  'pict',
])
export const HEADERS = new Set(['header', 'headerl', 'headerr', 'headerf'])
export const FOOTERS = new Set(['footer', 'footerl', 'footerr', 'footerf'])
