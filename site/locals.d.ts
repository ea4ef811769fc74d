declare namespace App {
  /** What the sidecar gives a live page to show; absent when the page is prebuilt. */
  interface Locals {
    ask?: import('#api/pages/live-data.ts').AskData;
    audit?: import('#api/registry/audit-page-data.ts').AuditPageData;
    directory?: import('#api/registry/directory-documents.ts').DirectoryList;
    directoryForm?: { url: string };
    directoryJoined?: import('#api/registry/directory-page-data.ts').DirectoryJoined;
    directoryRefusal?: import('#api/registry/directory-page-data.ts').DirectoryRefusal;
    guestbook?: import('#api/registry/guestbook-documents.ts').GuestbookList;
    guestbookExcerpt?: import('#api/routes/guestbook-ready.ts').GuestbookExcerpt;
    guestbookReceipt?: import('#api/registry/write-entry.ts').Receipt;
    guestbookWithdrawn?: { id: string };
    playbook?: import('#api/registry/playbook.ts').Playbook;
    playbookProblem?: import('#api/registry/form-problem.ts').FormProblem;
  }
}
