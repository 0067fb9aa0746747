import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Requests } from './parts.web.tsx'
import css from './rechecks.module.css'

const WAITING = { status: ['fee_due', 'requested', 'under_review'] }

/** Requests about marks before the eyes of control: who looks at them, and who decides. */
export default function GradeRechecks() {
  const t = useT('grading')
  const id = Number(useParams().id) || null
  const [waiting, setWaiting] = useState(true)
  return (
    <Page
      title={t('rechecks')}
      action={
        id !== null && (
          <Button component={Link} to={to('/control/grades_recheck')} variant="default" hiddenFrom="sm">
            {t('back_to_list')}
          </Button>
        )
      }
    >
      <Requests
        id={id}
        base="/control/grades_recheck/show/:id"
        deciding
        filters={waiting ? WAITING : {}}
        tabs={
          <div className={css.tabs} role="tablist" aria-label={t('rechecks')}>
            {([true, false] as const).map((wait) => (
              <button
                key={String(wait)}
                type="button"
                role="tab"
                aria-selected={waiting === wait}
                onClick={() => setWaiting(wait)}
              >
                {t(wait ? 'rechecks_waiting' : 'all')}
              </button>
            ))}
          </div>
        }
        empty={{ title: t('rechecks_empty'), text: t('rechecks_empty_text') }}
      />
    </Page>
  )
}
