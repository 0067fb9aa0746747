import { Suspense } from 'react'
import type { ComponentProps } from 'react'
import { filled } from '#kit/web/router/load.tsx'
import { standingUnderEdit } from './outlets.contract.ts'

const Told = filled(standingUnderEdit)

/** Whose standing an edit of a bylaw, a program or a plan would change, before it is saved; null: nothing is edited. */
export const WhoseStanding = (props: ComponentProps<typeof Told>) => (
  <Suspense fallback={null}>
    <Told {...props} />
  </Suspense>
)
