import { hash } from 'node:crypto'

/**
 * The lot of an application: SHA-256 of `SEED:ID` in hexadecimal digits; the smaller comes first. The seed is published, so that
 * anybody can work it out again: `printf 'SEED:ID' | sha256sum`. In SQL: `encode(sha256(convert_to(seed || ':' || id, 'UTF8')), 'hex')`.
 */
export const lotOf = (seed: string, id: number): string => hash('sha256', `${seed}:${id}`)
