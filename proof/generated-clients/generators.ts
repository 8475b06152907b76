// How each generator is installed and run, and how the story is built with the client that it wrote.

import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { recordOf } from '../../base/src/unknown.ts'
import { pythonTool } from '../lib/python.ts'

const run = promisify(execFile)
const HERE = import.meta.dirname
const DESCRIPTION = fileURLToPath(new URL('../../openapi.slim.json', import.meta.url))
const PYTHON_VERSION = '0.29.1'
const GO_MODULE = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const JAVA_GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0'
// Without the first option the code imports types of forms that are not generated.
const JAVA_OPTIONS = [
  '--global-property=skipFormModel=false',
  '--additional-properties=invokerPackage=octavo,apiPackage=octavo.api,modelPackage=octavo.model',
]
const MAX_OUTPUT = 50_000_000

type Story = [name: string, failure: string | null]

export interface GeneratedRun {
  name: string
  stories: Story[]
}

interface StoryServer {
  url: string
  key: string
  say: (line: string) => void
}

interface Generator {
  name: string
  /** Generates the client in the folder, and runs the story with it. */
  story: (folder: string, server: StoryServer) => Promise<Story[]>
}

export const generators: readonly Generator[] = [
  { name: 'python', story: runPython },
  { name: 'go', story: runGo },
  { name: 'java', story: runJava },
]

/** The lines `PASSED name` and `FAILED name: reason` of a story. */
async function tellStory(
  program: string,
  args: readonly string[],
  { url, key }: StoryServer,
  env: Record<string, string> = {},
): Promise<Story[]> {
  const environment = { ...process.env, ...env, OCTAVO_URL: url, OCTAVO_API_KEY: key }
  // A failed story ends its program with 1.
  const { stdout } = await run(program, [...args], { env: environment }).catch((error: unknown) => {
    const printed = String(recordOf(error).stdout)
    if (!/^FAILED /m.test(printed)) throw error
    return { stdout: printed }
  })
  return [...stdout.matchAll(/^(PASSED|FAILED) (\w+)(?:: (.*))?$/gm)].map(([, result, name = '', reason = '']) => [
    name,
    result === 'PASSED' ? null : reason,
  ])
}

async function runPython(folder: string, server: StoryServer): Promise<Story[]> {
  const generator = await pythonTool('openapi-python-client', PYTHON_VERSION, server.say)
  await mkdir(folder)
  const output = join(folder, 'octavo_generated')
  await run(generator, ['generate', '--path', DESCRIPTION, '--meta', 'none', '--output-path', output], {
    maxBuffer: MAX_OUTPUT,
  })
  // The generator's environment has the packages that its clients need.
  const python = join(dirname(generator), 'python')
  return tellStory(python, [join(HERE, 'story.py')], server, { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' })
}

async function runGo(folder: string, server: StoryServer): Promise<Story[]> {
  await mkdir(join(folder, 'octavo'), { recursive: true })
  await run('go', ['install', GO_MODULE], { env: { ...process.env, GOBIN: folder } })
  const output = join(folder, 'octavo/client.go')
  const args = ['-package', 'octavo', '-generate', 'types,client', '-o', output, DESCRIPTION]
  await run(join(folder, 'oapi-codegen'), args, { maxBuffer: MAX_OUTPUT })
  await copyFile(join(HERE, 'story.go'), join(folder, 'main.go'))
  for (const command of [
    ['mod', 'init', 'story'],
    ['mod', 'tidy'],
    ['build', '-o', 'story', '.'],
  ])
    await run('go', command, { cwd: folder })
  return tellStory(join(folder, 'story'), [], server)
}

async function runJava(folder: string, server: StoryServer): Promise<Story[]> {
  const [, name, version] = JAVA_GENERATOR.split(':')
  const jars = join(folder, 'generator')
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${JAVA_GENERATOR}`, `-DoutputDirectory=${jars}`])
  const args = ['-jar', join(jars, `${name}-${version}.jar`), 'generate', '-g', 'java', '-i', DESCRIPTION]
  const project = join(folder, 'client')
  await run('java', [...args, '-o', project, ...JAVA_OPTIONS], { maxBuffer: MAX_OUTPUT })
  await copyFile(join(HERE, 'Story.java'), join(project, 'src/main/java/Story.java'))
  const copies = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
  await run('mvn', ['-q', '-B', 'compile', ...copies], { cwd: project, maxBuffer: MAX_OUTPUT })
  const classes = [join(project, 'target/classes'), join(project, 'lib/*')].join(':')
  return tellStory('java', ['-cp', classes, 'Story'], server)
}
