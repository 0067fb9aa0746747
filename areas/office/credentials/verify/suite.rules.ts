import { isObject } from './values.rules.ts'
import type { JsonObject } from './values.rules.ts'

/** Stands for the issuer in inputs of the W3C suite whose credential its runner issues before it presents it. */
export const SUITE_ISSUER = 'did:example:issuer'
const YEAR = 31_556_952_000

/**
 * Inputs of the W3C suite are templates: its runner puts moments where they only name one, before a credential is issued. The
 * command line does the same to what nobody has signed; the product reads no templates.
 */
export function filledAsTheSuite(document: JsonObject, at: number): JsonObject {
  if (document.proof !== undefined || !isObject(document)) return document
  const moments: Readonly<Record<string, number>> = { 'PAST DATE': at - YEAR, 'FUTURE DATE': at + YEAR }
  const filled = Object.entries(document).map(([key, value]) =>
    (key === 'validFrom' || key === 'validUntil') && typeof value === 'string' && moments[value] !== undefined
      ? [key, new Date(moments[value]).toISOString()]
      : [key, value],
  )
  return Object.fromEntries(filled) as JsonObject
}
