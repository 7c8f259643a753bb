-- Whoever administers an organization is told when one of its webhooks was switched off, unless they do not want to be.
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('sign-in-code', 'invite', 'review-request', 'reply', 'comment',
    'webhook-disabled', 'said'));

alter table muted_mail drop constraint muted_mail_kind_check,
  add constraint muted_mail_kind_check check (kind in ('review-request', 'reply', 'comment', 'webhook-disabled'));
