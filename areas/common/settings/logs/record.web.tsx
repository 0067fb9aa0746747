import { Button } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { HistoryOf } from '#kit/web/detail/history.tsx'
import { nameOf, useEveryLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, useParams } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { auditTrailCalls } from './audit.contract.ts'

/** Everything that was done to one record, with from where. */
export default function RecordLog() {
  const t = useT('settings')
  const lang = useLanguage()
  const say = useEveryLabel()
  const { id = '', tableName = '' } = useParams()
  const params = { id: Number(id), tableName }
  const meta = useCall(auditTrailCalls.auditOf, { params }).data?.meta
  const table = meta?.table ? say([meta.table.name, meta.table.name_local]) : null
  const name = meta?.record ? nameOf(meta.record, lang) : null
  return (
    <Page
      title={name ?? (meta ? (table ?? t('log_record')) : null)}
      subtitle={name ? table : '\u00A0'}
      action={
        meta?.path && (
          <Button component={Link} to={meta.path} variant="default">
            {t('log_open_record')}
          </Button>
        )
      }
      wide={false}
    >
      <Card>
        <HistoryOf call={auditTrailCalls.auditOf} params={params} />
      </Card>
      {meta?.more && <p>{t('log_older')}</p>}
    </Page>
  )
}
