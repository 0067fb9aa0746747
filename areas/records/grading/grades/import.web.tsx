import { Button } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { Code, Failed, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { handInWays, useHandIn } from '#kit/web/imports/hand-in.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ControlBadge } from '../parts.web.tsx'
import { gradeCalls } from './grades.contract.ts'
import css from '../grading.module.css'

/** A sheet of marks in three moves: template out, sheet in beside the marks that stand there, then all of it or nothing; and Undo. */
export default function ImportGrades() {
  const t = useT('grading')
  const lang = useLanguage()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error: failed, refetch } = useCall(gradeCalls.grid, { params: { id } })
  const grid = data?.data
  const [stored, setStored] = useState<{ saved: number; operation_id: number | null } | null>(null)
  const { drop, review } = useHandIn(handInWays(gradeCalls, id), {
    text: t('sheet_drop'),
    refreshes: ['/offerings', '/control', '/operations'],
    onSaved: setStored,
  })
  if (failed && !grid)
    return (
      <Page title={t('import_sheet')}>
        <Failed error={failed} retry={() => void refetch()} />
      </Page>
    )
  const open = grid?.abilities.includes('import') ?? false
  return (
    <Page
      title={grid ? t('import_title', { course: nameOf(grid.offering.course, lang) }) : undefined}
      subtitle={
        grid && (
          <>
            <Code>
              {grid.offering.course.code} ({grid.offering.code})
            </Code>{' '}
            · <bdi>{nameOf(grid.offering.term, lang)}</bdi> · <ControlBadge status={grid.offering.control_status} />
          </>
        )
      }
    >
      {!grid ? (
        <Bone />
      ) : stored ? (
        <Card>
          <UndoNotice
            text={t('sheet_stored', { count: stored.saved })}
            operation={stored.operation_id}
            onUndone={() => void navigate(to('/offerings/grades/:id', { id }))}
          />
          <Button component={Link} to={to('/offerings/grades/:id', { id })}>
            {t('sheet_to_grid')}
          </Button>
        </Card>
      ) : !open ? (
        <p className={css.notice} data-tone="waiting">
          {t('import_closed')}
        </p>
      ) : !review ? (
        <Stack>
          <p className={css.text}>{t('import_text')}</p>
          <div className={css.steps}>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() =>
                void withOverlay(download(gradeCalls.exportSheet, { params: { id, x: 'template' } })).catch(
                  (problem: unknown) => notify.error(problem),
                )
              }
            >
              {t('template')}
            </Button>
            <Button
              variant="subtle"
              leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
              onClick={() =>
                void withOverlay(download(gradeCalls.exportSheet, { params: { id, x: 'marks' } })).catch(
                  (problem: unknown) => notify.error(problem),
                )
              }
            >
              {t('export_sheet')}
            </Button>
          </div>
          {drop}
        </Stack>
      ) : (
        <Card>{review}</Card>
      )}
    </Page>
  )
}
