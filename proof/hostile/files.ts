// The hundred hostile files, and some that are like others.

import type { ProofRun } from '../lib/proof.ts'
import { archives } from './archives.ts'
import type { HostileFile } from './file.ts'
import { images } from './images.ts'
import { links } from './links.ts'
import { markup } from './markup.ts'
import { oddities } from './oddities.ts'
import { pdfDrawings } from './pdf-drawings.ts'
import { pdfs } from './pdfs.ts'
import { texts } from './texts.ts'

export const hostileFiles: readonly HostileFile[] = [
  ...archives,
  ...markup,
  ...pdfs,
  ...pdfDrawings,
  ...images,
  ...texts,
  ...oddities,
  ...links,
]

/** Much like another one: they are left to the longest run. */
const variants = new Set(
  `pptx_flat_bomb epub_flat_bomb docx_nested_five_deep docx_two_of_a_name docx_many_small_bombs odt_outer_entity xlsx_outer_entity
  xlsx_billion_laughs docx_quadratic_entity html_many_attributes docx_deep_controls html_deep_tables epub_deep_divisions
  xlsx_wrong_indices pptx_100000_slides pdf_object_stream_loop pdf_deep_tree pdf_one_page_100000_times pdf_wrong_count
  pdf_deep_dictionaries pdf_no_page_size pdf_huge_blank_page pdf_character_map_bomb pdf_form_tree pdf_xref_huge pdf_content_bomb pdf_truncated
  pdf_launch png_widest png_more_than_it_says jpg_truncated webp_huge tiff_wrong_counts eml_long_headers eml_deep_messages
  csv_wide_rows html_open_comments docx_behind_pdf pdf_header_alone docx_old_container txt_command pptx_links xlsx_links`.split(
    /\s+/,
  ),
)
const some = new Set(
  `docx_flat_bomb docx_overlapping_quoted docx_forged_size docx_20000_entries zip_nested_five_deep docx_traversal_entries docx_outer_entity
  html_deep_divisions odt_deep_sections ods_repeated_columns xlsx_last_cell pdf_nested_filters pdf_font_bomb pdf_page_tree_loop
  pdf_form_in_itself pdf_script pdf_locked png_huge tiff_directory_loop eml_10000_multiparts txt_empty txt_up html_links docx_links
  pdf_links`.split(/\s+/),
)

/** 25, 100, or all of them. */
export const filesOf = (length: ProofRun['length']): readonly HostileFile[] =>
  length === 'long'
    ? hostileFiles
    : hostileFiles.filter(({ name }) => (length === 'short' ? some.has(name) : !variants.has(name)))
