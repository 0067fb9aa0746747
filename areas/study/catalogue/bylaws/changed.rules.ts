const DECIMAL = /^-?\d+(?:\.\d+)?$/
const isNumber = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value))

/** Whether both say the same: decimals by their value (30 and 30.00), lists and entries by what is in them. */
function sameSetting(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null)
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => sameSetting(one[key], other[key]))
}

/** What of what was typed differs from what is saved. */
export const changedSettings = <T extends object>(typed: Partial<T>, saved: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(typed).filter(([key, value]) => !sameSetting(value, (saved as Record<string, unknown>)[key])),
  ) as Partial<T>
