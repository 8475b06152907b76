/** Whether several processes of one host can listen on the same port (SO_REUSEPORT). */
export const MAY_SHARE_PORT: boolean = ['linux', 'freebsd', 'aix', 'sunos'].includes(process.platform)
