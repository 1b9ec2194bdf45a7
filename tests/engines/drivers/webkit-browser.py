#!/usr/bin/python3
"""A WebKitGTK browser for WebKitWebDriver. WebKit's own MiniBrowser keeps no profile under automation; this one keeps
cookies, storage and workers in PROFILE, so that it can be killed and opened again.

PROFILE/events.log gets one JSON object per line: opened windows, printed papers, downloads, and processes that ended.
Papers and downloads go to PROFILE/downloads. Further environment: SCRIPT runs before the scripts of every page; WIDTH
and HEIGHT are the size of a window.
"""
import json
import os

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2  # noqa: E402

PROFILE = os.environ['PROFILE']
DOWNLOADS = os.path.join(PROFILE, 'downloads')
TAB_SIZE = int(os.environ['WIDTH']), int(os.environ['HEIGHT'])
WINDOW_SIZE = 460, 760

# A browser under automation ignores `print()`, so documents tell this program instead, which prints what they show.
TELL_PRINTS = "print = () => webkit.messageHandlers.print.postMessage(opener ? 'window' : 'page');"

events = open(os.path.join(PROFILE, 'events.log'), 'a', buffering=1)


def note(event, **details):
    events.write(json.dumps({'event': event, **details}) + '\n')


class Browser:
    def __init__(self):
        data = WebKit2.WebsiteDataManager(
            base_data_directory=os.path.join(PROFILE, 'data'), base_cache_directory=os.path.join(PROFILE, 'cache'))
        self.context = WebKit2.WebContext.new_with_website_data_manager(data)
        self.context.get_cookie_manager().set_persistent_storage(
            os.path.join(PROFILE, 'cookies.sqlite'), WebKit2.CookiePersistentStorage.SQLITE)
        self.context.set_preferred_languages(['en-GB'])
        self.context.set_automation_allowed(True)
        self.context.connect('automation-started', self.on_automation)
        self.context.connect('download-started', self.on_download)
        self.settings = WebKit2.Settings()
        self.settings.set_enable_write_console_messages_to_stdout(True)
        # The pop-up blocker is on, as in the field.
        self.settings.set_javascript_can_open_windows_automatically(False)
        self.papers = 0
        self.operations = []
        self.printing = set()
        self.closing = set()
        self.opened_by = {}

    def on_automation(self, _context, session):
        about = WebKit2.ApplicationInfo()
        about.set_name('webkit-browser')
        about.set_version(1, 0, 0)
        session.set_application_info(about)
        session.connect('create-web-view', lambda *_: self.open_tab())

    def open_tab(self):
        content = WebKit2.UserContentManager()
        for script in (TELL_PRINTS, os.environ['SCRIPT']):
            content.add_script(WebKit2.UserScript(
                script, WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START, None, None))
        view = WebKit2.WebView(
            web_context=self.context, user_content_manager=content, is_controlled_by_automation=True,
            settings=self.settings)
        content.register_script_message_handler('print')
        content.connect('script-message-received::print', lambda _content, message: self.print_document(
            self.opened_by.get(view) if message.get_js_value().to_string() == 'window' else view))
        self.put_in_window(view, TAB_SIZE).show_all()
        return view

    def on_create(self, opener, action):
        """A window that a page opens belongs to the page's process, and shows when it is ready."""
        view = WebKit2.WebView(related_view=opener, settings=self.settings)
        self.opened_by[opener] = view
        window = self.put_in_window(view, WINDOW_SIZE)
        view.connect('ready-to-show', lambda *_: window.show_all())
        note('window', by_gesture=action.is_user_gesture())
        return view

    def put_in_window(self, view, size):
        window = Gtk.Window()
        window.set_default_size(*size)
        window.set_decorated(False)
        window.add(view)
        window.move(0, 0)
        view.connect('close', self.on_close)
        view.connect('create', self.on_create)
        view.connect('permission-request', self.on_permission)
        view.connect('web-process-terminated', lambda _view, reason: note('process ended', reason=str(reason)))
        return window

    def print_document(self, view):
        self.papers += 1
        name = 'printed-page-%d' % self.papers
        settings = Gtk.PrintSettings()
        settings.set_printer('Print to File')
        settings.set(Gtk.PRINT_SETTINGS_OUTPUT_FILE_FORMAT, 'pdf')
        settings.set(Gtk.PRINT_SETTINGS_OUTPUT_URI, 'file://' + os.path.join(DOWNLOADS, name))
        operation = WebKit2.PrintOperation.new(view)
        operation.set_print_settings(settings)
        operation.connect('failed', lambda _operation, error: note('print failed', reason=error.message))
        operation.connect('finished', lambda _operation: self.on_printed(view, name))
        self.printing.add(view)
        operation.print_()
        self.operations.append(operation)

    def on_printed(self, view, name):
        note('print', file=name, title=view.get_title() or '')
        self.printing.discard(view)
        if view in self.closing:
            view.get_toplevel().destroy()

    def on_close(self, view):
        """The engine dies when a page that is being printed goes away; a person could not close it then."""
        if view in self.printing:
            self.closing.add(view)
        else:
            view.get_toplevel().destroy()

    def on_download(self, _context, download):
        def choose(one, name):
            one.set_allow_overwrite(True)
            one.set_destination('file://' + os.path.join(DOWNLOADS, name))
            one.connect('finished', lambda _one: note('download', file=name))
            return True
        download.connect('decide-destination', choose)

    @staticmethod
    def on_permission(_view, request):
        note('permission', kind=type(request).__name__)
        request.allow()
        return True


browser = Browser()
# The program goes on without a window: its driver ends it.
Gtk.main()
