import { Button } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { download, refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Problems, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { ImportReview, type Preview } from '#kit/web/imports/review.tsx'
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
  const client = useQueryClient()
  const id = Number(useParams().id)
  const { data, error: failed, refetch } = useCall(gradeCalls.grid, { params: { id } })
  const grid = data?.data
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const [stored, setStored] = useState<{ saved: number; operation_id: number | null } | null>(null)
  const { problem: error, go, send } = useChange()
  if (failed && !grid)
    return (
      <Page title={t('import_sheet')}>
        <Failed error={failed} retry={() => void refetch()} />
      </Page>
    )
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() =>
      send(gradeCalls.importSheet, { params: { a: id, b: 'preview' }, file, onProgress: setProgress }),
    )
    setProgress(null)
    if (done) setChecked(done.answer.data)
  }
  const store = async () => {
    const { saved, operation_id } = await send(gradeCalls.importSheet, { params: { a: id, b: checked!.import_id } })
    await refresh(client, '/offerings', '/control', '/operations')
    setStored({ saved, operation_id })
  }
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
      ) : !checked ? (
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
          <FileDrop text={t('sheet_drop')} progress={progress} onFile={(file) => void take(file)} />
          {error !== null && <Problems error={error} />}
        </Stack>
      ) : (
        <Card>
          <ImportReview
            first={checked}
            lines={async (body) =>
              (await send(gradeCalls.sheetLines, { params: { a: id, b: checked.import_id }, body })).data
            }
            mend={async (body) =>
              (await send(gradeCalls.sheetMend, { params: { a: id, b: checked.import_id }, body })).data
            }
            save={store}
            again={() => setChecked(null)}
          />
        </Card>
      )}
    </Page>
  )
}
