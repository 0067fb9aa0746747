import { Button } from '@mantine/core'
import { IconIdBadge2 } from '@tabler/icons-react'
import { useMe } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, addressOfRecord } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { DocumentsOf } from './of-person.web.tsx'

/** What who works here has handed in, and what is still missing; the own record is a step away. */
export default function OwnDocuments() {
  const t = useT('documents')
  const { user } = useMe()
  const kind = user.type === 1 ? 'instructor' : 'employee'
  const id = kind === 'instructor' ? user.instructor_id : user.id
  const record = id === null ? null : addressOfRecord(kind, 'show', id)
  return (
    <Page
      title={t('my_documents')}
      wide={false}
      action={
        record && (
          <Button component={Link} to={record} variant="default" leftSection={<IconIdBadge2 size={16} aria-hidden />}>
            {t('my_record')}
          </Button>
        )
      }
    >
      <DocumentsOf kind={kind} />
    </Page>
  )
}
