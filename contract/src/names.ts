/** `Object.keys` with the type of the keys, for tables that have exactly the members of their type. */
export const namesOf = <T extends object>(table: T): (keyof T & string)[] => Object.keys(table) as (keyof T & string)[]
