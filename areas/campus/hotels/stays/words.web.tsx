import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import type { Language } from '#kit/contract/index.ts'
import { formatDate, nameOf, useT } from '#kit/web/i18n/index.ts'
import css from '../hotels.module.css'
import type { StayDetail, StayRow } from './stay.contract.ts'

/** Who sleeps there: a student, a guest, or a place of a group that nobody was given. */
export function Guest({ row }: { row: Pick<StayRow, 'student' | 'guest' | 'guest_name' | 'group' | 'code'> }) {
  const t = useT('hotels')
  return (
    <span className={css.who}>
      {(row.student ?? row.guest) ? (
        <Name row={row.student ?? row.guest} />
      ) : row.guest_name ? (
        <bdi>{row.guest_name}</bdi>
      ) : (
        <span className={css.dim}>{t('nobody_yet')}</span>
      )}
      <small>
        <Code>{(row.student ?? row.guest)?.code ?? row.code}</Code>
        {row.group && (
          <>
            {' · '}
            <bdi>{row.group.name}</bdi>
          </>
        )}
      </small>
    </span>
  )
}

/** What a stay is called: by who sleeps there, else by the group. */
export function stayName(
  row: Pick<StayRow, 'student' | 'guest' | 'guest_name' | 'group' | 'code'>,
  lang: Language,
): string {
  const who = row.student ?? row.guest
  return who ? nameOf(who, lang) : (row.guest_name ?? row.group?.name ?? row.code)
}

/** The bed of a stay; of one that waits, the hostel that is asked for. */
export function BedPlace({ row }: { row: Pick<StayRow, 'hostel' | 'room' | 'bed'> }) {
  const t = useT('hotels')
  return (
    <span className={css.who}>
      {row.hostel ? <Name row={row.hostel} /> : <span className={css.dim}>{t('any_hostel')}</span>}
      {row.room && (
        <small>
          <Code>
            {row.room} · {row.bed}
          </Code>
        </small>
      )}
    </span>
  )
}

/** From the first night to the day of leaving. */
export const Days = ({ from, until }: { from: string; until: string }) => (
  <bdi>
    {formatDate(from)} – {formatDate(until)}
  </bdi>
)

/** Whom the guest wishes for, and whether they wish it too. */
export function Mates({ mates }: { mates: StayDetail['mates'] }) {
  const t = useT('hotels')
  return (
    <ul className={css.mates}>
      {mates.map((mate) => (
        <li key={mate.id}>
          <Name row={mate} />{' '}
          <Status is={mate.mutual ? 'met' : 'waits'} label={t(mate.mutual ? 'mutual' : 'not_mutual')} />
        </li>
      ))}
    </ul>
  )
}
