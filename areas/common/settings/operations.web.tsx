import { useT } from '#kit/web/i18n/index.ts'
import { Operations } from '#kit/web/imports/undo.tsx'
import { Page } from '#kit/web/shell/page.tsx'

/** What was imported lately, each with Undo while that is possible. */
export default function OperationsScreen() {
  const t = useT('settings')
  const kit = useT('kit-screens')
  return (
    <Page title={t('part_operations')} subtitle={t('operations_text')}>
      <Operations empty={kit('operations_none')} />
    </Page>
  )
}
