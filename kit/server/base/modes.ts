import { firstRow } from '#db/rows.ts'
import { setZone } from '#kit/contract/day.ts'
import type { Actor, Services } from './context.ts'
import { refuse } from './errors.ts'

/** How the university works now, by its settings. */
export interface Modes {
  /** Nothing but signing in and out changes anything. */
  readonly readOnly: boolean
  /** Only those who may work meanwhile come in. */
  readonly maintenance: boolean
  /** When the maintenance is said to end. */
  readonly until: string | null
}

/** Milliseconds after which the settings are asked again where no message came. */
const GOOD_FOR = 2000

const QUESTION = {
  name: 'modes',
  text: `select in_maintenance(now()) as maintenance, university_zone() as zone,
    coalesce((select value #>> '{}' = 'true' from settings where key = 'read_only'), false) as "readOnly",
    (select nullif(value #>> '{}', '') from settings where key = 'maintenance_until') as until`,
}

interface Asked extends Modes {
  /** In which today begins, here as in the database: a machine runs in whatever zone it was set up with. */
  readonly zone: string
}

/** Whether a user may work while the university is closed for maintenance. */
export const worksMeanwhile = (actor: Pick<Actor, 'is_root' | 'is_super_admin' | 'rights'> | null): boolean =>
  actor !== null && (actor.is_root || actor.is_super_admin || actor.rights.has('work_in_maintenance'))

/** The refusal for all other users during maintenance. */
export const closedForMaintenance = ({ until }: Pick<Modes, 'until'>) =>
  refuse(503, 'maintenance', { planned: true, until })

/** The modes as they are in the database, for a decision that is taken once. */
export async function modesNow({ pool }: Pick<Services, 'pool'>): Promise<Modes> {
  const { rows } = await pool.query<Asked>(QUESTION)
  return firstRow(rows)
}

/**
 * The modes for every call: kept in memory, forgotten in every process as soon as a setting is changed, and asked again
 * after two seconds where that message was lost.
 */
export function createModes({ pool, config, events }: Services): () => Modes | Promise<Modes> {
  let known: Modes | undefined
  let until = 0
  let asking: Promise<Modes> | undefined
  const forget = (): void => {
    until = 0
    asking = undefined
  }
  events.on('settings_changed', forget)
  events.onGap(forget)
  return () => {
    if (known && performance.now() < until) return known
    if (asking) return asking
    const mine = pool.query<Asked>(QUESTION).then(({ rows }) => {
      const { zone, ...asked } = firstRow(rows)
      setZone(zone)
      const found = { ...asked, readOnly: asked.readOnly || config.readOnly }
      // What was asked before the last change is not kept.
      if (asking === mine) {
        known = found
        until = performance.now() + GOOD_FOR
        asking = undefined
      }
      return found
    })
    mine.catch(() => asking === mine && (asking = undefined))
    return (asking = mine)
  }
}
