import { type CliPlace, type OptionPlace, pathPattern } from './places.ts'

const quote = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`

function optionLine(at: string, { flags, description, takes_value, choices }: OptionPlace): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ')
  const value = takes_value ? ` -x${choices.length > 0 ? ` -a ${quote(choices.join(' '))}` : ''}` : ''
  return `complete -c octavo ${at} ${names}${value} -d ${quote(description)}`
}

function completionLines({ path, commands, options, takes_files, choices }: CliPlace): string[] {
  const at = `-n ${quote(`test (__octavo_at) = "${path}"`)}`
  return [
    ...commands.map(({ name, description }) => `complete -c octavo ${at} -a ${name} -d ${quote(description)}`),
    ...(choices.length > 0 ? [`complete -c octavo ${at} -a ${quote(choices.join(' '))}`] : []),
    ...(takes_files ? [`complete -c octavo ${at} -F`] : []),
    ...options.map((option) => optionLine(at, option)),
  ]
}

export const fishScript = (
  places: readonly CliPlace[],
): string => `# Completion of octavo for fish: octavo completion fish > ~/.config/fish/completions/octavo.fish
function __octavo_at
  set -l at octavo
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${pathPattern(places, ' ')}
        set at "$at $word"
    end
  end
  echo $at
end
complete -c octavo -f
${places.flatMap(completionLines).join('\n')}
`
