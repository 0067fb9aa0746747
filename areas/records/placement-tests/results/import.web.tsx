import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Problems } from '#kit/web/feedback/index.ts'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ImportReview, type Preview } from '#kit/web/imports/review.tsx'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { placementTestCalls, type TouchedByTest } from '../tests/test.contract.ts'
import css from '../placement-tests.module.css'

/** So many records that the tests touch are named. */
const TOUCHED = 100

/** A sheet of results beside those that stand there, then all of it or nothing; and Undo. */
export default function ImportResults() {
  const t = useT('placement-tests')
  const kit = useT('kit')
  const lang = useLanguage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(placementTestCalls.item, { params: { id } })
  const test = data?.data
  const [progress, setProgress] = useState<number | null>(null)
  const [checked, setChecked] = useState<Preview | null>(null)
  const [stored, setStored] = useState<{
    stored: number
    operation_id: number | null
    touched: TouchedByTest[]
  } | null>(null)
  const { problem, go, send } = useChange()
  const back = to('/settings/placement_test/show/:id', { id })
  if (error && !test)
    return (
      <Page title={undefined}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() =>
      send(placementTestCalls.previewResults, { params: { id }, file, onProgress: setProgress }),
    )
    setProgress(null)
    if (done) setChecked(done.answer.data)
  }
  const store = async () => {
    const answer = await send(placementTestCalls.saveResults, { params: { id, import_id: checked!.import_id } })
    await refresh(client, '/placement_test', '/placement-tests', '/placement-results', '/operations')
    setStored(answer.data)
  }
  const params = { id, import_id: checked?.import_id ?? '' }
  return (
    <Page title={test ? t('import_title', { test: nameOf(test, lang) }) : undefined}>
      {!test ? (
        <Bone />
      ) : stored ? (
        <Card>
          <UndoNotice
            text={t('stored_count', { count: stored.stored })}
            operation={stored.operation_id}
            onUndone={() => void navigate(back)}
          />
          {stored.touched.length > 0 && (
            <>
              <h3>{t('sheet_touches')}</h3>
              <ul className={css.list}>
                {stored.touched.slice(0, TOUCHED).map((one) => (
                  <li key={`${one.student.id} ${one.course.id}`}>
                    <Code>{one.student.code}</Code> <bdi>{nameOf(one.student, lang)}</bdi>:{' '}
                    {t(one.code === 'placement_above' ? 'touched_above' : 'touched_excused', {
                      course: one.course.code ?? nameOf(one.course, lang),
                    })}
                  </li>
                ))}
                {stored.touched.length > TOUCHED && (
                  <li>{kit('and_more', { count: stored.touched.length - TOUCHED })}</li>
                )}
              </ul>
            </>
          )}
          <Button component={Link} to={back}>
            {t('import_back')}
          </Button>
        </Card>
      ) : !checked ? (
        <Stack>
          <p className={css.dim}>{t('import_text')}</p>
          <FileDrop text={t('import_drop')} progress={progress} onFile={(file) => void take(file)} />
          {problem !== null && <Problems error={problem} />}
        </Stack>
      ) : (
        <Card>
          <ImportReview
            first={checked}
            lines={async (body) => (await send(placementTestCalls.previewLines, { params, body })).data}
            mend={async (body) => (await send(placementTestCalls.mendResults, { params, body })).data}
            save={store}
            again={() => setChecked(null)}
          />
        </Card>
      )}
    </Page>
  )
}
