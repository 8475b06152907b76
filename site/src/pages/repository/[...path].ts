// Files of the repository that pages link to, as they are in this version. The site needs no other host to show them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRawFiles, ROOT, rawAddressOf } from '../../../../tools/docs/pages.ts'

export const getStaticPaths = () =>
  listRawFiles()
    .filter((path) => rawAddressOf(path).startsWith('/repository/'))
    .map((file) => ({ params: { path: rawAddressOf(file).slice('/repository/'.length) }, props: { file } }))

export const GET = ({ props }: { props: { file: string } }) => new Response(readFileSync(join(ROOT, props.file)))
