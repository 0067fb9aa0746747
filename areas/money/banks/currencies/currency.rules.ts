const KNOWN: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** What is wrong with the code of a new currency; null: nothing. */
export function currencyProblem(code: string): { field: string; code: string; data?: { code: string } } | null {
  if (!/^[A-Z]{3}$/.test(code)) return { field: 'code', code: 'currency_code_shape' }
  return KNOWN.has(code) ? null : { field: 'code', code: 'currency_unknown', data: { code } }
}
