import { useMe } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { DocumentsOf } from './of-person.web.tsx'

/** What who works here has handed in, and what is still missing. */
export default function OwnDocuments() {
  const t = useT('documents')
  const { user } = useMe()
  return (
    <Page title={t('my_documents')} wide={false}>
      <DocumentsOf kind={user.type === 1 ? 'instructor' : 'employee'} />
    </Page>
  )
}
