import { resourceCalls } from '#kit/contract/resource.ts'
import type { Resource, ResourceCalls } from '#kit/contract/resource.ts'

const made = new WeakMap<Resource, ResourceCalls<Resource>>()
/** The calls of a resource, made once. A verb without permission has no call: it is undefined. */
export function callsOf(r: Resource): Partial<ResourceCalls<Resource>> {
  const had = made.get(r)
  if (had) return had
  const calls = resourceCalls(r)
  made.set(r, calls)
  return calls
}
