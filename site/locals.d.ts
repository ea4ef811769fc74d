declare namespace App {
  /** What the sidecar gives a live page to show; absent when the page is prebuilt. */
  interface Locals {
    ask?: import('#api/pages/live-data.ts').AskData;
    audit?: import('#api/registry/audit-page-data.ts').AuditPageData;
    guestbook?: import('#api/registry/guestbook-documents.ts').GuestbookList;
    guestbookExcerpt?: import('#api/routes/guestbook-ready.ts').GuestbookExcerpt;
    guestbookReceipt?: import('#api/registry/write-entry.ts').Receipt;
    guestbookWithdrawn?: { id: string };
  }
}
