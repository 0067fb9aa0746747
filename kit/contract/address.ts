/** The screen that an address opens, and what stands in its places. */
export interface Opened {
  readonly path: string
  readonly params: Readonly<Record<string, string>>
}

const partsOf = (address: string): string[] => address.split('/').filter(Boolean)
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function opens(path: string, given: readonly string[]): Record<string, string> | null {
  const asked = partsOf(path)
  if (given.length > asked.length) return null
  const params: Record<string, string> = {}
  for (const [i, part] of asked.entries()) {
    const value = given[i]
    if (!part.startsWith(':')) {
      if (part !== value) return null
      continue
    }
    const name = part.slice(1).replace(/\?$/, '')
    if (value !== undefined) params[name] = decoded(value)
    else if (!part.endsWith('?')) return null
  }
  return params
}

/** Words count more than places: `/apply/:id/success` comes before `/apply/:type/:id`. */
const wordsOf = (path: string): number => partsOf(path).filter((part) => !part.startsWith(':')).length

/**
 * Which of the paths an address opens. `:id` is a place, `:id?` one that may be left out; of several that fit it is the one
 * with most words.
 *
 * @param address without query: `/apply/7/success`
 */
export function openedBy(paths: readonly string[], address: string): Opened | null {
  const given = partsOf(address)
  const found = paths.flatMap((path) => {
    const params = opens(path, given)
    return params ? [{ path, params }] : []
  })
  return found.toSorted((a, b) => wordsOf(b.path) - wordsOf(a.path))[0] ?? null
}
