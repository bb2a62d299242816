project = "Serving guide"
extensions = []
exclude_patterns = ["_build", "README.md"]
html_theme = "alabaster"
html_static_path = ["_static"]
html_js_files = [("ridgepoint-widget.js", {"defer": "defer"})]
