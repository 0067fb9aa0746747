import { Suspense } from 'react'
import type { ComponentProps } from 'react'
import { part } from '#kit/web/later.ts'

const Told = part(async () => (await import('#areas/degree-audit/requirements/live.web.tsx')).WhoseStanding)

/** Whose standing an edit of a bylaw, a program or a plan would change, before it is saved; null: nothing is edited. */
export const WhoseStanding = (props: ComponentProps<typeof Told>) => (
  <Suspense fallback={null}>
    <Told {...props} />
  </Suspense>
)
