import type { ReactNode } from 'react'
import { Link, addressOfRecord } from '../router/index.ts'
import css from './detail.module.css'

/** A record as a link where the reader may open it, else as text. */
export function RecordLink({ resource, id, children }: { resource: string; id: number; children: ReactNode }) {
  const address = addressOfRecord(resource, 'show', id)
  return address ? (
    <Link className={css.recordLink} to={address}>
      {children}
    </Link>
  ) : (
    <>{children}</>
  )
}
