import { fetchedJson } from '#kit/server/base/fetched.ts'
import type { Reach } from '../verify/keys.server.ts'

/** Addresses asked for one file at most. */
const MOST_ASKED = 8

/** Reaches what others publish; `own`: what this university publishes itself, which it need not ask the network for. */
export function publicReach(own: Reach): Reach {
  let asked = 0
  return async (url) => {
    const found = await own(url)
    if (found !== null) return found
    return ++asked > MOST_ASKED ? null : fetchedJson(url.replace(/#.*$/s, ''))
  }
}
