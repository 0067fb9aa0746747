import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatInstant, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { researcherCalls as calls, type ResearcherProfile } from './researcher.contract.ts'

const FIELDS = {
  orcid: f.text(['ORCID iD', 'معرف ORCID'], {
    max: 60,
    help: ['Like 0000-0002-1825-0097. By it your works are found.', 'مثل 0000-0002-1825-0097، وبه تُجلب أعمالك.'],
  }),
  openalex: f.text(['OpenAlex ID', 'معرف OpenAlex'], { max: 60 }),
  interests: f.text(['Fields of research', 'مجالات البحث'], {
    max: 500,
    help: ['With commas between them.', 'تفصل بينها فواصل.'],
  }),
  interests_local: f.text(['Fields of research in Arabic', 'مجالات البحث بالعربية'], { max: 500 }),
  about: f.longText(['About', 'نبذة'], { max: 2000, paired: true }),
  about_local: f.longText(['About in Arabic', 'نبذة بالعربية'], { max: 2000, paired: true }),
  is_public: f.flag(['Page for everybody', 'صفحة متاحة للجميع'], {
    help: [
      'Name, photo, fields and listed works, without signing in.',
      'الاسم والصورة والمجالات والأعمال المُدرجة دون تسجيل دخول.',
    ],
  }),
  slug: f.text(['Name in the address', 'الاسم في الرابط'], {
    max: 60,
    help: ['Empty: made of your name.', 'إن تُرك فارغًا فمن اسمك.'],
  }),
}
const SECTIONS = [
  { title: ['Known by', 'المعرفات'] as const, fields: ['orcid', 'openalex'] },
  {
    title: ['Shown on the page', 'ما يظهر في الصفحة'] as const,
    fields: ['interests', 'interests_local', 'about', 'about_local'],
  },
  { title: ['Who sees it', 'من يطلع عليها'] as const, fields: ['is_public', 'slug'] },
]

/** The own identifiers, and the page that everybody may see. */
export default function MyResearcherPage() {
  const t = useT('publications')
  const id = useMe().user.id
  const { data, error, refetch } = useCall(calls.profile, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Page title={t('my_page')}>
        <Bone height={420} />
      </Page>
    )
  return <Filled key={data.data.version} of={data.data} />
}

function Filled({ of }: { readonly of: ResearcherProfile }) {
  const t = useT('publications')
  const { send } = useChange('/researchers', '/publications')
  return (
    <Page
      title={t('my_page')}
      subtitle={of.synced_at ? t('synced_at', { at: formatInstant(of.synced_at) }) : t('never_synced')}
    >
      <Stack>
        {of.is_public && of.slug && (
          <p>
            <a href={`/researchers/${of.slug}`} target="_blank" rel="noreferrer">
              {t('open_page')}
            </a>
          </p>
        )}
        <Form
          fields={FIELDS}
          sections={SECTIONS}
          values={of}
          submit={t('save')}
          onSave={(given) =>
            send(calls.changeProfile, {
              params: { id: of.user_id },
              // The rest of the profile is not written here.
              body: {
                ...Object.fromEntries(Object.keys(FIELDS).map((name) => [name, given[name]])),
                version: of.version,
              },
            })
          }
          onSaved={() => notify.done(t('page_saved'))}
        />
      </Stack>
    </Page>
  )
}
