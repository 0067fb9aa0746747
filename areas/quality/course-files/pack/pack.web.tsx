import { Anchor, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Form } from '#kit/web/form/form.tsx'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import { packCalls, type MadePack } from './pack.contract.ts'
import css from '../course-files.module.css'

/** One ZIP of a program and its years, made by a job that goes on when this is closed. */
export function PackDialog({ onClose }: { onClose: () => void }) {
  const t = useT('course-files')
  const lang = useLanguage()
  const { send } = useChange('/jobs')
  const [job, setJob] = useState<string | null>(null)
  const [made, setMade] = useState<MadePack | null>(null)
  return (
    <Modal opened onClose={onClose} title={t('pack')}>
      <div className={css.say}>
        <p className={css.text}>{t('pack_text')}</p>
        {job === null ? (
          <Form
            bar="dialog"
            submit={t('pack_begin')}
            onCancel={onClose}
            fields={{
              program_id: f.lookup(['Program', 'البرنامج'], 'program', { required: true }),
              from_year_id: f.lookup(['From year', 'من عام'], 'year', { required: true }),
              to_year_id: f.lookup(['To year', 'إلى عام'], 'year', { required: true }),
            }}
            onSave={({ program_id, from_year_id, to_year_id }) =>
              send(packCalls.makePack, {
                body: {
                  program_id: Number(program_id),
                  from_year_id: Number(from_year_id),
                  to_year_id: Number(to_year_id),
                  lang: lang === 'ar' ? 'ar' : 'en',
                },
              })
            }
            onSaved={({ job_id }) => setJob(job_id)}
          />
        ) : made === null ? (
          <ProgressJob id={job} label={t('pack_working')} onDone={(result) => setMade(result as MadePack)} />
        ) : (
          <p role="status">
            {t('pack_ready')} <Anchor href={made.url}>{t('pack_download', { name: made.name })}</Anchor>
          </p>
        )}
      </div>
    </Modal>
  )
}
