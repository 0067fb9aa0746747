import { Button, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconExternalLink } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { fetchFile } from '#kit/web/api/index.ts'
import { Empty, Problems } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useFormValues } from '#kit/web/form/form.tsx'
import { language, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { typeCalls } from './type.contract.ts'
import css from './template.module.css'

/** Nobody reads a page while typing it: it is made once the hands rest. */
const RESTS = 700

/** What is typed, as it stands on the paper of a real person. */
export function TemplatePreview() {
  const t = useT('certificates')
  const typed = useFormValues()
  // A text for staff is looked at with somebody who works here.
  const resource = typed.for_staff ? 'staff' : 'student'
  const [chosen, setChosen] = useState<{ readonly of: string; readonly id: number | null } | null>(null)
  const person = chosen?.of === resource ? chosen.id : null
  const [lang, setLang] = useState<'ar' | 'en'>(language() === 'ar' ? 'ar' : 'en')
  const [title, text] = (lang === 'ar' ? [typed.name_local, typed.body_local] : [typed.name, typed.body]).map((one) =>
    String(one ?? '').trim(),
  )
  const own = typed.document === null || typed.document === undefined || typed.document === 'text'
  return (
    <Card title={t('preview')}>
      <div className={css.preview}>
        <LookupInput
          key={resource}
          resource={resource}
          label={t('preview_person')}
          defaultValue={person}
          onChange={(id) => setChosen({ of: resource, id })}
        />
        <SegmentedControl
          fullWidth
          value={lang}
          onChange={(value) => setLang(value)}
          aria-label={t('preview_language')}
          data={[
            { value: 'ar', label: t('arabic') },
            { value: 'en', label: t('english') },
          ]}
        />
        {!own ? (
          <Empty title={t('preview_record')} text={t('preview_record_text')} />
        ) : person === null || !text ? (
          <Empty title={t('preview_none')} text={t('preview_none_text')} />
        ) : (
          <Sheet of={resource} person={person} lang={lang} title={title || '–'} text={text} />
        )}
      </div>
    </Card>
  )
}

function Sheet(asked: { of: 'student' | 'staff'; person: number; lang: 'ar' | 'en'; title: string; text: string }) {
  const t = useT('certificates')
  const [{ of, person, lang, title, text }] = useDebouncedValue(asked, RESTS, { leading: true })
  const [url, setUrl] = useState<string | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  useEffect(() => {
    let over = false
    let shown: string | null = null
    const show = async () => {
      try {
        const { content } = await fetchFile(typeCalls.preview, {
          body: { ...(of === 'staff' ? { staff_id: person } : { student_id: person }), lang, title, text },
        })
        if (over) return
        setProblem(null)
        setUrl((shown = URL.createObjectURL(content)))
      } catch (error) {
        if (!over) setProblem(error)
      }
    }
    void show()
    return () => {
      over = true
      if (shown !== null) URL.revokeObjectURL(shown)
    }
  }, [of, person, lang, title, text])
  if (problem !== null) return <Problems error={problem} />
  if (!url) return <Bone height={420} />
  return (
    <>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- no browser shows a PDF in a sandbox; what stands here is the program's own */}
      <iframe className={css.sheet} src={url} title={t('preview')} />
      <Button
        component="a"
        href={url}
        target="_blank"
        variant="default"
        size="xs"
        leftSection={<IconExternalLink size={15} aria-hidden />}
      >
        {t('preview_open')}
      </Button>
    </>
  )
}
