import { type Choice, type CliPlace, pathPattern } from './places.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const described = ({ name, description }: Choice): string =>
  quote(`${name.replaceAll(':', '\\:')}:${description.replaceAll(':', '\\:')}`)

const valueCases = ({ path, options }: CliPlace): string[] =>
  options
    .filter(({ takes_value }) => takes_value)
    .map(({ flags, choices }) => {
      const patterns = flags.map((flag) => quote(`${path} ${flag}`)).join('|')
      return `    ${patterns}) ${choices.length > 0 ? `compset -P '*,'; compadd -- ${choices.join(' ')}` : '_message value'}; return ;;`
    })

const optionCase = ({ path, options }: CliPlace): string =>
  `    ${quote(path)}) found=(${options.flatMap(({ flags, description }) => flags.map((name) => described({ name, description }))).join(' ')}) ;;`

function wordCase({ path, commands, choices, takes_files }: CliPlace): string {
  if (commands.length > 0)
    return `    ${quote(path)}) found=(${commands.map(described).join(' ')}); _describe command found ;;`
  if (choices.length > 0) return `    ${quote(path)}) compadd -- ${choices.join(' ')} ;;`
  return `    ${quote(path)}) ${takes_files ? '_files' : '_message argument'} ;;`
}

export const zshScript = (places: readonly CliPlace[]): string => `#compdef octavo
# Completion of octavo for zsh: source <(octavo completion zsh), after compinit; or a file _octavo in a folder of fpath.
_octavo() {
  local at=octavo i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${pathPattern(places, '|')}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${places.flatMap(valueCases).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case $at in
${places.map(optionCase).join('\n')}
    esac
    _describe -o option found
    return
  fi
  case $at in
${places.map(wordCase).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _octavo ]]; then _octavo "$@"; else compdef _octavo octavo; fi
`
