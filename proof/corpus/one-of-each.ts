// A few files of the corpus for proofs that need not read all of it.

/** One of each way to read a file. */
export const ONE_OF_EACH = [
  'pdf/typst-tables-ruled-spans-fr.pdf',
  'html/own-tables-en.html',
  'txt/koi8-r-ru.txt',
  'csv/semicolon-de.csv',
  'eml/alternative-ja.eml',
  'scan/clean-en.png',
  'scan/tilted-de.jpg',
  'docx/office-tables-en.docx',
  'xlsx/office-spans-ru.xlsx',
  'odp/office-de.odp',
  'epub/pandoc-zh.epub',
]
