/** The name that this program was started by, so that commands in hints can be typed as shown. */
export const SELF = process.env['OCTAVO_COMMAND'] || 'octavo'

/** In a container, with some folders of the machine outside. */
export const isInContainer = (): boolean => process.env['OCTAVO_IN_CONTAINER'] === '1'
