import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { rosterCalls } from './roster.contract.ts'

/** Duties of an intern, counted, and the way to the logbook; nothing for who may see neither. */
export function LogbookOfIntern({ id }: { id: number }) {
  const t = useT('logbook')
  const me = useMe()
  const counts = me.can('access_roster')
  const { data } = useCall(rosterCalls.ofIntern, { params: { id } }, { enabled: counts })
  if (!counts && !me.can('access_logbook')) return null
  const count = (what: 'all' | 'nights' | 'weekends') => (data ? formatNumber(data.data[what]) : '–')
  return (
    <Card
      title={t('logbook_and_duties')}
      aside={
        me.can('access_logbook') && <Link to={to('/emtyaz/logbooks/interns/:id', { id })}>{t('open_logbook')}</Link>
      }
    >
      {counts && (
        <Facts
          short
          items={[
            { label: t('duties_all'), value: count('all') },
            { label: t('nights'), value: count('nights') },
            { label: t('weekends'), value: count('weekends') },
          ]}
        />
      )}
    </Card>
  )
}
