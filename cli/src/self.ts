/** How this program is called where it was started: what hints tell to type must work there. */
export const SELF = process.env['OCTAVO_COMMAND'] || 'octavo'

/** In a container, with some folders of the machine outside. */
export const isInContainer = (): boolean => process.env['OCTAVO_IN_CONTAINER'] === '1'
