import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Requests } from './parts.web.tsx'

const ALL = {}

/** What somebody asked about marks: where each request stands, and who has it. */
export default function CorrectionRequests() {
  const t = useT('grading')
  const id = Number(useParams().id) || null
  const add = (
    <Button component={Link} to={to('/correction_requests/add')} leftSection={<IconPlus size={16} aria-hidden />}>
      {t('ask_about_mark')}
    </Button>
  )
  return (
    <Page title={t('own_rechecks')} action={add}>
      <Requests
        id={id}
        base="/correction_requests/:id"
        deciding={false}
        filters={ALL}
        empty={{ title: t('own_rechecks_empty'), text: t('own_rechecks_text') }}
      />
    </Page>
  )
}
