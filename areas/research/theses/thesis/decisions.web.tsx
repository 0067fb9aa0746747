import { dayOf } from '#kit/contract/day.ts'
import { Empty, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { WholeThesis } from './whole.contract.ts'
import css from '../theses.module.css'

/** What councils decided, and what stood before each change. */
export function Decisions({ whole: { decisions, changes } }: { whole: WholeThesis }) {
  const t = useT('theses')
  if (!decisions.length && !changes.length) return <Empty title={t('no_decisions')} text={t('no_decisions_text')} />
  return (
    <Stack>
      {decisions.length > 0 && (
        <Card title={t('decisions')}>
          <Table
            label={t('decisions')}
            rows={decisions}
            rowKey={(row) => row.id}
            columns={[
              { key: 'kind', label: t('decision'), head: true, cell: (row) => t(`kind_${row.kind}`) },
              { key: 'council', label: t('council'), cell: (row) => <bdi>{row.council}</bdi> },
              { key: 'session', label: t('session'), figure: true, cell: (row) => row.session },
              { key: 'number', label: t('number'), figure: true, cell: (row) => row.number },
              { key: 'decided_on', label: t('decided_on'), cell: (row) => formatDate(row.decided_on) },
              {
                key: 'undone',
                unseen: true,
                label: t('taken_back'),
                cell: (row) => row.undone && <Status is="removed" label={t('taken_back')} />,
              },
            ]}
          />
        </Card>
      )}
      {changes.map((one) => (
        <Card
          key={one.id}
          title={t('change_of', { day: formatDate(dayOf(one.at)) })}
          aside={
            <Status
              is={({ waiting: 'waits', applied: 'done', taken_back: 'removed' } as const)[one.state]}
              label={t(`change_${one.state}`)}
            />
          }
        >
          <p className={css.prose} dir="auto">
            {one.reason}
          </p>
          <ul className={css.rows}>
            {(one.title ?? one.title_local) && (
              <li>
                <small>{t('title_before')}</small>
                <bdi>{nameOf({ name: one.before.title, name_local: one.before.title_local })}</bdi>
              </li>
            )}
            {(one.title ?? one.title_local) && (
              <li>
                <small>{t('title_after')}</small>
                <bdi>
                  {nameOf({
                    name: one.title ?? one.before.title,
                    name_local: one.title_local ?? one.before.title_local,
                  })}
                </bdi>
              </li>
            )}
            {one.department && (
              <li>
                <small>{t('department')}</small>
                <bdi>
                  {one.before.department
                    ? `${nameOf(one.before.department)} → ${nameOf(one.department)}`
                    : nameOf(one.department)}
                </bdi>
              </li>
            )}
            {one.supervisors && (
              <li>
                <small>{t('supervisors_before')}</small>
                <bdi>{formatList(one.before.supervisors.map((person) => nameOf(person)))}</bdi>
              </li>
            )}
          </ul>
        </Card>
      ))}
    </Stack>
  )
}
